import type { DialogsModule } from './dialogs/modals.ts'

/** The name of the dialogs' file; the build replaces it. */
declare const dialogsFile: string

/** Returns the function that loads the dialogs from the script's folder. */
export function dialogsBeside(scriptAddress: string): () => Promise<DialogsModule> {
  // NOTE: a relative import would fail, because a script of another origin has no base address.
  const address = new URL(dialogsFile, scriptAddress)
  let failures = 0
  return async () => {
    try {
      return await import(/* @vite-ignore */ address.href)
    } catch (error) {
      // Browsers cache a failed import, so the next one needs another address.
      failures += 1
      address.search = `after=${failures}`
      throw error
    }
  }
}
