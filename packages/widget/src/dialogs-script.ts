import type { DialogsModule } from './dialogs/modals.ts'

/** The file of the dialogs beside the script, which the build fills in. */
declare const dialogsFile: string

/** Returns the function that loads the dialogs for a script of this address. */
export function dialogsBeside(scriptAddress: string): () => Promise<DialogsModule> {
  // NOTE: a relative import would fail, because a script of another origin has no base address.
  const address = new URL(dialogsFile, scriptAddress)
  let failures = 0
  return async () => {
    try {
      return await import(/* @vite-ignore */ address.href)
    } catch (error) {
      // Browsers remember that an address failed, and don't load it again.
      failures += 1
      address.search = `after=${failures}`
      throw error
    }
  }
}
