import { useNavigate, useRouter } from '@tanstack/react-router'
import { type Dispatch, lazy, type SetStateAction, Suspense } from 'react'
import { useFrameKeys } from '#lib/browser/use-keys.ts'
import { useYou } from '#lib/desk-context.ts'
import { screensFor } from '#lib/screens.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }))

/** Which of them is open over the screen. */
export type Overlay = 'find' | 'keys' | null

/** Binds the keys of every screen, and shows "Find or do" and the help. They are loaded at their first use. */
export function Overlays({ open, setOpen }: { open: Overlay; setOpen: Dispatch<SetStateAction<Overlay>> }) {
  const navigate = useNavigate()
  const screens = screensFor(useYou().roles, useRouter())
  useFrameKeys({
    ...Object.fromEntries(screens.map(({ path, keys }) => [keys, () => void navigate({ to: path })])),
    'mod+k': () => setOpen('find'),
    '?': () => setOpen('keys'),
    '/': () => void navigate({ to: '/archive', hash: 'search' }),
  })
  // The help may have been opened by what closes.
  const close = (overlay: Overlay) => () => setOpen((current) => (current === overlay ? null : current))
  return (
    <Suspense>
      {open === 'find' && <Palette onClose={close('find')} onHelp={() => setOpen('keys')} />}
      {open === 'keys' && <KeyboardHelp onClose={close('keys')} />}
    </Suspense>
  )
}
