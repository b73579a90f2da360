import type { AnyRouter } from '@tanstack/react-router'
import type { DeskRole } from '@tidings/contracts/desk/desk'

type Screen = { name: string; path: string; keys: string; roles?: readonly DeskRole[] }

/** The seven screens, in the order of the top bar, and who may open them. */
const screens: readonly Screen[] = [
  { name: 'Today', path: '/', keys: 'g t' },
  { name: 'Archive', path: '/archive', keys: 'g a' },
  { name: 'Comments', path: '/comments', keys: 'g c' },
  { name: 'Articles', path: '/articles', keys: 'g r' },
  { name: 'Members', path: '/members', keys: 'g m', roles: ['editor', 'owner'] },
  { name: 'Numbers', path: '/numbers', keys: 'g n' },
  { name: 'People', path: '/people', keys: 'g p' },
]

/** Returns the screens that a person with these roles can open. */
export function screensFor(given: readonly DeskRole[], router: Pick<AnyRouter, 'routesByPath'>): Screen[] {
  const paths = new Set(Object.keys(router.routesByPath))
  return screens.filter(
    ({ path, roles }) =>
      paths.has(path) && (roles === undefined || roles.some((role) => given.includes(role))),
  )
}
