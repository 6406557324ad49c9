// The state of the table and of this phone, and the requests of the views to the page.
export const page = { table: null, line: "connecting", paired: false, can: {}, view: "table", leave: null, connect: () => {}, draw: () => {} };
/** What the box's buttons do and what its display says, in the page's language. */
export const words = () => page.table.words[document.documentElement.lang];
