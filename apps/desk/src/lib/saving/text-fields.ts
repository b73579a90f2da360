/** A text as the server stores it. */
export type Stored<Text> = {
  text: Text
  /** The version that the next save is based on. */
  version: number
  savedBy: string
  savedAt: string
}

/** Returns some fields of a text. */
export function pick<Text extends object>(text: Text, names: readonly string[]): Partial<Text> {
  const picked: Partial<Text> = { ...text }
  for (const name in text) if (!names.includes(name)) delete picked[name]
  return picked
}

/** Returns the names of the fields in which two texts differ. */
export function differing(one: object, other: object): string[] {
  const values = new Map<string, unknown>(Object.entries(other))
  return Object.entries(one)
    .filter(([name, value]) => values.has(name) && !isSame(value, values.get(name)))
    .map(([name]) => name)
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other || typeof one === 'string') return one === other
  return JSON.stringify(one) === JSON.stringify(other)
}
