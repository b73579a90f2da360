import { z } from 'zod'
import { count, optionalText, setting } from './setting.ts'

/** A place in an S3 bucket. `prefix` is empty or ends with a slash; `endpoint` is null at AWS. */
export type BucketLocation = { bucket: string; prefix: string; region: string; endpoint: URL | null }

const bucketForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixForm = /^([\w.-]+\/)*$/

/** `s3://bucket/prefix?region=…&endpoint=…`: a place in an S3 bucket; null for an empty text. */
const bucketLocation = z.string().transform((text, context): BucketLocation | null => {
  if (text === '') return null
  const location = parseBucketLocation(text)
  if (location !== null) return location
  context.addIssue(
    'must be empty, or like s3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example.com (no endpoint at AWS)',
  )
  return z.NEVER
})

/** Parses the address of a place in a bucket; null for other texts. */
export function parseBucketLocation(text: string): BucketLocation | null {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 's3:' || url.username !== '' || url.port !== '') return null
  const path = url.pathname.replace(/^\//, '')
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`
  const endpointText = url.searchParams.get('endpoint')
  const endpoint = endpointText === null ? null : URL.parse(endpointText)
  const isUnknown = [...url.searchParams.keys()].some((name) => name !== 'region' && name !== 'endpoint')
  const isWrongEndpoint = endpointText !== null && !/^https?:$/.test(endpoint?.protocol ?? '')
  const isWrongName = !bucketForm.test(url.hostname) || !prefixForm.test(prefix)
  if (isUnknown || isWrongEndpoint || isWrongName) return null
  return { bucket: url.hostname, prefix, region: url.searchParams.get('region') ?? 'us-east-1', endpoint }
}

/** The settings of the store of pictures and PDFs. */
export const mediaSettings = z.object({
  bucket: setting('MEDIA_STORE', '', bucketLocation).describe(
    'Where pictures and PDFs are stored. Empty: in DATA_DIR. With several hosts, a bucket of S3 or of a server that speaks its protocol: s3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example.com (no endpoint at AWS). `tidings media migrate` copies what is stored.',
  ),
  accessKeyId: optionalText('AWS_ACCESS_KEY_ID').describe(
    'The key that may read, write, list and delete in that bucket; the token only for temporary keys.',
  ),
  secretAccessKey: optionalText('AWS_SECRET_ACCESS_KEY'),
  sessionToken: optionalText('AWS_SESSION_TOKEN'),
  cacheMegabytes: count('MEDIA_CACHE_MB', 1_000, [10, 1_000_000]).describe(
    'How many MB of pictures each process keeps in DATA_DIR of those in a bucket, so that they are served while it is away.',
  ),
})
