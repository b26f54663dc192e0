// Tables of single bytes are too small to be stored otherwise.
export function restoreTables() {}
