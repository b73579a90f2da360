/** Returns the first letters of a person’s first and last name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toLocaleUpperCase()
}

/** Returns the first name of a person. */
export function firstNameOf(name: string): string {
  return name.trim().split(/\s+/)[0] || 'Someone'
}
