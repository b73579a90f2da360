/** A failure of a restore that an operator can act on. */
export class BackupError extends Error {
  override name = 'BackupError'
}
