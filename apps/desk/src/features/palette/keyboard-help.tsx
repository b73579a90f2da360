import './palette.css'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { setLetterKeys, useLetterKeys } from '#lib/browser/letter-keys.ts'
import { useYou } from '#lib/desk-context.ts'
import { screensFor } from '#lib/screens.ts'
import { KeyCaps } from './key-caps.tsx'
import { keyColumns } from './key-table.ts'

/** Lists the keys of the desk, and turns single letters off. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const hasLetters = useLetterKeys()
  const columns = keyColumns(screensFor(useYou().roles, useRouter()))
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="keyboard" aria-labelledby="keyboard-title" onClose={onClose}>
      <header>
        <h2 id="keyboard-title">Keyboard</h2>
        <p>
          {hasLetters ? 'Single letters work only outside a text.' : 'Single letters are off on this device.'}
          <button type="button" onClick={() => setLetterKeys(hasLetters ? 'off' : 'on')}>
            {hasLetters ? 'Turn them off' : 'Turn them on'}
          </button>
        </p>
      </header>
      <div className="keyboard-columns">
        {columns.map((groups) => (
          <div key={groups[0]?.name}>
            {groups.map(({ name, rows }) => (
              <section key={name} aria-label={name}>
                <h3>{name}</h3>
                <dl>
                  {rows.map(({ does, keys }) => (
                    <div key={does}>
                      <dt>{does}</dt>
                      <dd>
                        <KeyCaps name={keys} />
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        ))}
      </div>
      <div className="keyboard-foot">
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  )
}
