import { readFile } from 'node:fs/promises'
import { hasErrorCode } from '#platform/system-errors.ts'
import { BackupError } from './places/backup-error.ts'

const leastCharacters = 16

/** Returns a passphrase that is long enough. Throws {@link BackupError} for others. */
export function checkPassphrase(passphrase: string): string {
  if (passphrase.length >= leastCharacters) return passphrase
  throw new BackupError(
    `The passphrase has less than ${leastCharacters} characters, so others could guess it. Make one with 'openssl rand -base64 24'. Nothing was done.`,
  )
}

/** Reads the first line of a file that has a secret. */
export async function readSecretLine(file: string, start = ''): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (!hasErrorCode(error, 'ENOENT', 'EACCES', 'EISDIR')) throw error
    throw new BackupError(`${file} can't be read. Check its name and who may read it. Nothing was done.`)
  })
  const line = text.split(/\r?\n/).find((each) => each.trim() !== '' && each.startsWith(start))
  if (line === undefined)
    throw new BackupError(
      start === ''
        ? `${file} is empty. Nothing was done.`
        : `${file} has no line with an age key (${start}…). Nothing was done.`,
    )
  return line.trim()
}
