// Turns what a page shows into what the server sends now, and touches nothing that has stayed the same. So the focus,
// what is selected, what is being typed and what somebody has opened remain, and nothing flickers.

/** What belongs to the person at the page, not to the server. */
const OWN = new Set(["open", "value", "checked"]);

/** @param {Element} old @param {Element} now */
function attributes(old, now) {
  for (const { name, value } of now.attributes) if (!OWN.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!OWN.has(name) && !now.hasAttribute(name)) old.removeAttribute(name);
}

/** Whether one may become the other: things with a name only themselves. @param {any} old @param {any} now */
const alike = (old, now) => old.nodeName === now.nodeName && (old.id ?? "") === (now.id ?? "");

/** Make the children of an element those of another one. @param {Element} old @param {Element} now */
export function morph(old, now) {
  if (old.isEqualNode(now)) return;
  /** @type {ChildNode | null} */
  let at = old.firstChild;
  for (const each of [...now.childNodes]) {
    const { id } = /** @type {Element} */ (each);
    // A thing with a name is moved from wherever it stands now.
    const found = id ? [...old.children].find((one) => one.id === id && one.nodeName === each.nodeName) : at && alike(at, each) ? at : null;
    if (!found) {
      old.insertBefore(each, at);
      continue;
    }
    if (found === at) at = at.nextSibling;
    else old.insertBefore(found, at);
    if (!(found instanceof Element)) {
      if (found.nodeValue !== each.nodeValue) found.nodeValue = each.nodeValue;
    } else if (!found.isEqualNode(each)) {
      attributes(found, /** @type {Element} */ (each));
      morph(found, /** @type {Element} */ (each));
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/** Make an element show this HTML. @param {Element} element @param {string} text */
export function show(element, text) {
  const now = document.createElement(element.nodeName);
  now.innerHTML = text;
  morph(element, now);
}
