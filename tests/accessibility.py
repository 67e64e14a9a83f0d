"""What axe-core, a judge of accessibility, says of a page."""

from __future__ import annotations

from playwright.sync_api import Page


def check_accessible(page: Page, axe: str) -> None:
    page.evaluate(axe)
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
    found = page.evaluate(
        "rules => axe.run(document, {runOnly: {type: 'tag', values: rules}})", rules
    )
    told = [
        f"{each['id']}: {each['help']}: {[node['html'][:200] for node in each['nodes'][:3]]}"
        for each in found["violations"]
    ]
    assert not told, "\n".join(told)
