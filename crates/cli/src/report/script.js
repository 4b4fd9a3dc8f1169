// Sorts a table by a click on a heading: numbers from the greatest down first, words from A on.
for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => {
      const key = row => row.cells[column].dataset.key;
      const numbers = [...body.rows].some(row => key(row) !== undefined);
      const down = heading.ariaSort ? heading.ariaSort === 'ascending' : numbers;
      const number = row => key(row) === undefined ? (down ? -Infinity : Infinity) : Number(key(row));
      const text = row => row.cells[column].textContent;
      const compare = numbers
        ? (a, b) => number(a) === number(b) ? 0 : number(a) - number(b)
        : (a, b) => text(a).localeCompare(text(b));
      const rows = [...body.rows].sort((a, b) => down ? compare(b, a) : compare(a, b));
      for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
      heading.ariaSort = down ? 'descending' : 'ascending';
      body.append(...rows);
    });
  });
}
