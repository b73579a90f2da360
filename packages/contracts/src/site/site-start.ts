import * as z from 'zod/mini'
import { timeListReply } from '../editions.ts'

/** The data that the API writes into the page's shell to save the first requests. */
export const siteStartSchema = z.object({
  gate: z.object({ on: z.boolean(), passed: z.boolean() }),
  /** Only for a requester who may read. */
  editions: z.optional(
    z.object({
      /** Yesterday, today and tomorrow at the site; the reader's clock decides which day is shown. */
      timeLists: z.array(timeListReply),
      /** Key of the newest published edition; null before the first one. */
      newest: z.nullable(z.string()),
    }),
  ),
})
export type SiteStart = z.infer<typeof siteStartSchema>
export type StartEditions = NonNullable<SiteStart['editions']>
