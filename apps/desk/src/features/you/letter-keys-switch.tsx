import { setLetterKeys, useLetterKeys } from '#lib/browser/letter-keys.ts'

/** Turns the commands of single letters off, for those whose voice or hand presses keys unawares. */
export function LetterKeysSwitch() {
  const hasLetters = useLetterKeys()
  return (
    <section aria-labelledby="letter-keys">
      <h2 id="letter-keys">Keys</h2>
      <label className="you-check">
        <input
          type="checkbox"
          checked={hasLetters}
          onChange={({ target }) => setLetterKeys(target.checked ? 'on' : 'off')}
        />
        Single letters are commands outside texts
      </label>
      <p className="meta">On this device. Ctrl+K or ⌘K works in any case, and lists what you can do.</p>
    </section>
  )
}
