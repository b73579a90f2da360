import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { frameRoute } from './frame.tsx'

/** The address of the list of members. The words of a search never stand in it. */
export const membersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/members',
  validateSearch({ show }: Record<string, unknown>): { show?: 'suppressed' } {
    return show === 'suppressed' ? { show } : {}
  },
  component: lazyRouteComponent(() => import('#features/members/members-screen.tsx'), 'MembersScreen'),
})

export const memberRoute = createRoute({
  getParentRoute: () => membersRoute,
  path: '/$id',
  beforeLoad({ params }) {
    if (!/^mem_[0-9A-Za-z]{1,28}$/.test(params.id)) throw notFound()
  },
})
