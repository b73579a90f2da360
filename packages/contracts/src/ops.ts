import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { errorReply } from './errors.ts'

const statusReply = z.object({ status: z.string() })
const operation = { access: 'public', tag: 'Operation' } as const

export const getHealth = endpoint(
  { method: 'GET', path: '/healthz' },
  { ...operation, summary: 'Returns whether the process is alive', reply: statusReply },
)

export const getReadiness = endpoint(
  { method: 'GET', path: '/readyz' },
  {
    ...operation,
    summary: 'Returns whether the database is available and has every migration',
    reply: statusReply,
    errors: { 503: errorReply },
  },
)

export const getMetrics = endpoint(
  { method: 'GET', path: '/metrics' },
  { ...operation, summary: 'Returns metrics in the Prometheus text format' },
)
