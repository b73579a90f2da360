import { getReadiness } from '@tidings/contracts/ops'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { type ProcessDeps, registerProcessRoutes } from './process.routes.ts'
import type { Readiness } from './readiness/readiness.ts'

type Deps = ProcessDeps & { readiness: Readiness }

export function registerOpsRoutes(app: App, { readiness, ...deps }: Deps): void {
  registerProcessRoutes(app, deps)

  register(app, getReadiness, async (_request, reply) => {
    const { status, checks } = await readiness.check()
    if (status !== 'not-ready') return { status, checks }
    const message = checks.flatMap(({ reason }) => reason ?? []).join(' ')
    return reply.code(503).send({ status, checks, error: { code: 'service-unavailable', message } })
  })
}
