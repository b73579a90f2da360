import { createRoute, lazyRouteComponent, useNavigate } from '@tanstack/react-router'
import { LoadingDesk } from '#components/loading.tsx'
import { rootRoute } from './root-route.tsx'

const InvitationScreen = lazyRouteComponent(
  () => import('#features/sign-in/invitation-screen.tsx'),
  'InvitationScreen',
)
const SignInLinkScreen = lazyRouteComponent(
  () => import('#features/sign-in/sign-in-link-screen.tsx'),
  'SignInLinkScreen',
)

/** The link of an invitation. */
export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation/$token',
  component: Invitation,
  pendingComponent: LoadingDesk,
})

/** The link of an email that signs in. */
export const signInLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/$token',
  component: SignInLink,
  pendingComponent: LoadingDesk,
})

function Invitation() {
  return <InvitationScreen token={invitationRoute.useParams().token} onStart={useStart()} />
}

function SignInLink() {
  return <SignInLinkScreen token={signInLinkRoute.useParams().token} onStart={useStart()} />
}

/** Opens the desk. The used link doesn't stay in the history. */
function useStart(): () => void {
  const navigate = useNavigate()
  return () => void navigate({ to: '/', replace: true })
}
