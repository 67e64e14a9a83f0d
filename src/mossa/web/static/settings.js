// Settings for all boards: sound, coordinates, the look. The browser keeps them.
import { dressed, page, recall, remember } from "./dom.js";

/** @type {HTMLDialogElement | null} */
let dialog = null;

export function settings() {
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.ariaLabel = "Settings";
    page(dialog, "settings-dialog");
    document.body.append(dialog);
    const [form] = dialog.getElementsByTagName("form"), { sound, coordinates, board } = /** @type {any} */ (form.elements);
    const set = recall("settings") ?? {};
    sound.checked = set.sound ?? true;
    coordinates.checked = set.coordinates ?? true;
    board.value = set.board || "";
    form.oninput = () => {
      remember("settings", { sound: sound.checked, coordinates: coordinates.checked, board: board.value });
      dressed();
    };
  }
  dialog.showModal();
}
