"use strict";
// Sorting by a column: numbers by value, words by letter; rows without a value stay at the end.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  table.querySelectorAll("th button").forEach((button) => {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.querySelectorAll("th[aria-sort]")) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const at = head.cellIndex;
      const key = (row) => {
        const cell = row.cells[at];
        return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
      };
      const rows = [...body.rows].sort((a, b) => {
        const x = key(a), y = key(b);
        if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
        const order = typeof x === "number" ? x - y : x.localeCompare(y, undefined, { numeric: true });
        return down ? -order : order;
      });
      body.append(...rows);
    });
  });
}
// Filters hide what does not speak of the chosen classifier, or data set.
const chosen = { classifier: "", dataset: "" };
function filter() {
  for (const element of document.querySelectorAll("[data-pair]")) {
    const pair = JSON.parse(element.dataset.pair);
    element.hidden = chosen.classifier !== "" && !pair.includes(chosen.classifier);
  }
  const wanted = chosen.dataset.toLocaleLowerCase();
  for (const row of document.querySelectorAll("tr[data-dataset]")) {
    row.hidden = !row.dataset.dataset.toLocaleLowerCase().includes(wanted);
  }
}
for (const control of document.querySelectorAll("[data-filter]")) {
  control.addEventListener("input", () => { chosen[control.dataset.filter] = control.value; filter(); });
}
// A link to a pair opens it.
function reveal() {
  const element = document.getElementById(location.hash.slice(1));
  if (element instanceof HTMLDetailsElement) element.open = true;
}
window.addEventListener("hashchange", reveal);
reveal();
// On paper everything is open.
window.addEventListener("beforeprint", () => {
  for (const element of document.querySelectorAll("details")) element.open = true;
});
