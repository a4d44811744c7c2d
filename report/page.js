// The search box, which is hidden without scripts, hides the profiles that do not match.
(function () {
  "use strict";
  var finder = document.getElementById("finder"), list = document.getElementById("list");
  if (!finder || !list) return;
  var box = document.getElementById("find"), found = document.getElementById("found");
  var rows = Array.prototype.slice.call(list.tBodies[0].rows).map(function (row) {
    return { row: row, text: (row.cells[0].textContent + " " + row.cells[5].textContent).toLowerCase() };
  });
  finder.hidden = false;
  box.addEventListener("input", function () {
    var wanted = box.value.trim().toLowerCase(), shown = 0;
    rows.forEach(function (r) {
      r.row.hidden = r.text.indexOf(wanted) < 0;
      if (!r.row.hidden) shown++;
    });
    found.textContent = wanted === "" ? "" : shown + " of " + rows.length;
  });
})();
