// Cases that do not hold yet, by name, with the reason; `--known` plays them all the same.
// A case that holds leaves this list.
export const known = {};
