import { useQuery } from '@tanstack/react-query'
import { createRoute, Navigate, redirect } from '@tanstack/react-router'
import { LoadingDesk } from '#components/loading.tsx'
import { Entrance } from '#features/sign-in/entrance.tsx'
import { nextEditionText } from '#features/sign-in/next-edition.ts'
import { SignInForm } from '#features/sign-in/sign-in-form.tsx'
import { useDeskConfig } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { youQuery } from '#lib/you-query.ts'
import { rootRoute } from './root-route.tsx'

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  async beforeLoad({ context }) {
    if ((await context.queryClient.ensureQueryData(youQuery)) !== null) throw redirect({ to: '/' })
  },
  component: SignIn,
  pendingComponent: LoadingDesk,
})

function SignIn() {
  const { data: you } = useQuery(youQuery)
  const config = useDeskConfig()
  const now = useNow()
  if (you !== null && you !== undefined) return <Navigate to="/" />
  return (
    <Entrance title="The editors’ desk" note={nextEditionText(config, now)}>
      <SignInForm />
    </Entrance>
  )
}
