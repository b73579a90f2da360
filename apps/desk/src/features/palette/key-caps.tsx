import { printedKeys } from '#lib/browser/key-names.ts'

type Props = { name: string } | { keys: readonly string[] }

/** The keys of a command as they are printed on a keyboard. */
export function KeyCaps(props: Props) {
  const keys = 'name' in props ? printedKeys(props.name) : props.keys
  return (
    <span className="key-caps">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
