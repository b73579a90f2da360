import * as z from 'zod/mini'

/** The run-time settings that the API writes into the page's shell. None is secret. */
export const siteConfigSchema = z.object({
  siteName: z.string(),
  timeZone: z.string(),
  slots: z.array(z.object({ label: z.string(), minutes: z.number() })),
  /** Public key and id of the membership app; empty until one is configured. */
  appId: z.string(),
  appPublicKey: z.string(),
  /** Country whose phone numbers may be written without a country code: `US`. */
  phoneRegion: z.string(),
  /** Countries whose mobile numbers get texts: `['US', 'CA']`; empty on a site that sends none. */
  smsCountries: z.array(z.string()),
  /** Tag manager container id; empty for none. */
  tagManagerId: z.string(),
  /** Host name on which unknown paths redirect to `/`; empty for none. */
  stagingHost: z.string(),
  /** Whether readers see comments below an edition. */
  editionComments: z.boolean(),
  /** Whether members can be notified of new editions. A shell from before it was stated leaves that to the server. */
  notifications: z._default(z.boolean(), true),
  /** The fate of the details at the payment service when a member deletes the account. */
  customerOnDeletion: z._default(z.enum(['delete', 'keep']), 'delete'),
  legal: z.object({
    company: z.string(),
    editorInChief: z.string(),
    contactEmail: z.string(),
    address: z.string(),
    artworkCredit: z.string(),
  }),
})
export type SiteConfig = z.infer<typeof siteConfigSchema>
