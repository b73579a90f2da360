const nameForm = /^tidings-\d{8}T\d{6}Z\.tar(\.age)?$/

/** Returns the name of a backup, whose order is that of time. */
export function backupName(at: Date, { isEncrypted }: { isEncrypted: boolean }): string {
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return `tidings-${time}.tar${isEncrypted ? '.age' : ''}`
}

/** Returns the names of backups among others, the newest first. */
export function newestFirst(names: readonly string[]): string[] {
  return names
    .filter((name) => nameForm.test(name))
    .sort()
    .reverse()
}

/** Returns whether a file is what is left of a backup that was killed. */
export function isLeftover(name: string): boolean {
  return name.endsWith('.partial') && nameForm.test(name.slice(0, -'.partial'.length))
}
