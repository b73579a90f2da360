import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import * as routes from './routes.ts'

const widthQuery = z.object({
  w: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('The displayed width in pixels; the response has the smallest stored width that covers it'),
})

const description = 'AVIF or WebP when `Accept` names them, JPEG otherwise.'

export const memoPicture = endpoint(routes.memoPicture, {
  access: 'gate',
  tag: 'Pictures',
  summary: 'A picture of a published memo',
  description,
  params: z.object({
    date: z.string().describe('MM-DD-YY'),
    timestamp: z.string().describe('The slot'),
    file: z.string(),
  }),
  query: widthQuery,
})

export const articlePicture = endpoint(routes.articlePicture, {
  access: 'gate',
  tag: 'Pictures',
  summary: 'A picture of a published gated article',
  description,
  query: widthQuery,
})

export const profilePicture = endpoint(routes.profilePicture, {
  access: 'public',
  tag: 'Pictures',
  summary: 'Returns a profile image',
  query: widthQuery,
})
