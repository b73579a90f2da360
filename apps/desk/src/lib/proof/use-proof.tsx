import { type ReactNode, useState } from 'react'
import { asksForProof } from './proof-calls.ts'
import { ProofDialog } from './proof-dialog.tsx'

type Waiting = { goOn: () => void; giveUp: () => void }

/** Makes sensitive changes, and asks for a proof when the API needs one. Show `dialog` on the screen. */
export function useProof(): { dialog: ReactNode; withProof: <T>(change: () => Promise<T>) => Promise<T> } {
  const [waiting, setWaiting] = useState<Waiting | null>(null)

  async function withProof<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change()
    } catch (error) {
      if (!asksForProof(error)) throw error
      await new Promise<void>((resolve, reject) => {
        setWaiting({ goOn: resolve, giveUp: () => reject(error) })
      })
      return await withProof(change)
    }
  }

  function end(how: keyof Waiting) {
    waiting?.[how]()
    setWaiting(null)
  }
  const dialog =
    waiting === null ? null : <ProofDialog onProved={() => end('goOn')} onCancel={() => end('giveUp')} />
  return { dialog, withProof }
}
