import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { errorReply } from './errors.ts'

/** `version` and `revision` name the code that runs. */
const healthReply = z.object({ status: z.literal('ok'), version: z.string(), revision: z.string() })
const operation = { access: 'public', tag: 'Operation' } as const

/** One condition that requests depend on; `reason` says why it does not hold. */
const readinessCheck = z.object({ name: z.string(), ok: z.boolean(), reason: z.string().optional() })
export type ReadinessCheck = z.infer<typeof readinessCheck>

const readinessReply = z.object({ status: z.enum(['ready', 'degraded']), checks: z.array(readinessCheck) })
const unavailableReply = z.object({
  ...errorReply.shape,
  status: z.literal('not-ready'),
  checks: z.array(readinessCheck),
})

export const getHealth = endpoint(
  { method: 'GET', path: '/healthz' },
  { ...operation, summary: 'Returns whether the process is alive', reply: healthReply },
)

export const getReadiness = endpoint(
  { method: 'GET', path: '/readyz' },
  {
    ...operation,
    summary: 'Returns whether the process can serve requests, with the result of each check',
    description:
      '200 `ready`, or `degraded` when readers are served but something else fails. 503 `not-ready` when requests must go to another process: it is stopping, or can serve nothing that is true.',
    reply: readinessReply,
    errors: { 503: unavailableReply },
  },
)

export const getMetrics = endpoint(
  { method: 'GET', path: '/metrics' },
  { ...operation, summary: 'Returns metrics in the Prometheus text format' },
)
