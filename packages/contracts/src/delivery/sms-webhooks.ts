import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const webhook = { access: 'signed', tag: 'Deliveries', reply: z.string().describe('TwiML') } as const

export const receiveSmsStatus = endpoint(
  { method: 'POST', path: '/webhooks/twilio/status' },
  {
    ...webhook,
    summary: 'Receives from Twilio what became of a text',
    query: z.object({ delivery: z.uuid().optional() }),
  },
)

export const receiveSms = endpoint(
  { method: 'POST', path: '/webhooks/twilio/incoming' },
  {
    ...webhook,
    summary: 'Receives a reply to a text from Twilio',
    description: 'STOP, START and HELP change what the members with this number receive.',
  },
)
