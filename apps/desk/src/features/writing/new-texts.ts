const added = new Set<string>()

/** Notes that a person has just added a memo or article, which begins with its title. */
export function noteNewText(id: string): void {
  added.add(id)
}

/** Returns whether a text was just added, the first time that it is shown. */
export function takeNewText(id: string): boolean {
  return added.delete(id)
}
