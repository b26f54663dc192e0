// The tables of a module lie in it as bindings/js/pack.mjs has stored them, for compression.

/** Restores the tables in the memory of a new instance. */
export function restoreTables(module, buffer) {
  const [section] = WebAssembly.Module.customSections(module, "mojika.blocks");
  if (section === undefined) return;
  const [address, length, digits] = String.fromCharCode(...new Uint8Array(section)).split(" ");
  const block = new Uint8Array(Number(length));
  const half = block.length / 2;
  for (let i = 0; i < digits.length; i++) {
    const form = Number(digits[i]);
    const at = Number(address) + i * block.length;
    const memory = new Uint8Array(buffer, at, block.length);
    if (form & 1) {
      block.set(memory);
      for (let j = 0; j < half; j++) {
        memory[2 * j] = block[half + j];
        memory[2 * j + 1] = block[j];
      }
    }
    if (form & 2) {
      const numbers = new Uint16Array(buffer, at, half);
      for (let j = 1; j < half; j++) numbers[j] += numbers[j - 1];
    }
  }
}
