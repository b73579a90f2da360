import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { DialogStore } from './dialog-store.ts'

export const DialogContext = createContext<DialogStore | null>(null)

/** Returns the store of the dialog around a component. */
export function useDialog(): DialogStore {
  const store = useContext(DialogContext)
  if (store === null) throw new Error('A screen of the dialogs was rendered outside of a dialog')
  return store
}
