// What is known of the table and of this phone, and what the views may ask the page for.
export const page = { table: null, line: "connecting", paired: false, can: {}, view: "table", leave: null, connect: () => {}, draw: () => {} };
