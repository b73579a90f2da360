/** @jsxImportSource preact */
import { useDialog } from '../state/dialog-context.ts'
import { BackIcon } from './icons.tsx'

type Props = { text: string; hasBack?: boolean }

/** The heading of a screen, with a button that leads back. */
export function Heading({ text, hasBack = false }: Props) {
  const { t, dispatch } = useDialog()
  return (
    <header>
      {hasBack && (
        <button
          type="button"
          class="icon back"
          aria-label={t('back')}
          onClick={() => dispatch({ type: 'backChosen' })}
        >
          <BackIcon />
        </button>
      )}
      <h2 tabIndex={-1}>{text}</h2>
    </header>
  )
}

/** The app's logo, where it has one. */
export function Logo() {
  const { app } = useDialog()
  const { logo } = app.branding
  return logo ? <img class="logo" part="logo" src={logo} alt={app.name} /> : null
}
