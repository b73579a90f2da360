import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { requireMember, requirePlanChanger } from './member-guard.ts'
import { rootRoute } from './root-route.tsx'

const getParentRoute = () => rootRoute

/** Logging in and signing up, and the account's own screens. */
export const accountRoutes = [
  createRoute({ getParentRoute, path: '/account/login' }).lazy(
    lazyScreen(async () => (await import('../features/login/login-screen.tsx')).LoginScreen),
  ),
  createRoute({ getParentRoute, path: '/account/signup' }).lazy(
    lazyScreen(async () => (await import('../features/login/sign-up-screen.tsx')).SignUpScreen),
  ),
  createRoute({ getParentRoute, path: '/resetpassword' }).lazy(
    lazyScreen(async () => (await import('../features/login/reset-password-screen.tsx')).ResetPasswordScreen),
  ),
  createRoute({ getParentRoute, path: '/account/dashboard', beforeLoad: requireMember }).lazy(
    lazyScreen(
      async () => (await import('../features/account/dashboard/dashboard-screen.tsx')).DashboardScreen,
    ),
  ),
  createRoute({ getParentRoute, path: '/account/change-plan', beforeLoad: requirePlanChanger }).lazy(
    lazyScreen(
      async () => (await import('../features/account/plan/change-plan-screen.tsx')).ChangePlanScreen,
    ),
  ),
  createRoute({ getParentRoute, path: '/changepassword', beforeLoad: requireMember }).lazy(
    lazyScreen(
      async () => (await import('../features/account/change-password-screen.tsx')).ChangePasswordScreen,
    ),
  ),
]
