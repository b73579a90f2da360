import { z } from 'zod'
import { dataOf } from '../envelope.ts'
import { describedError } from '../errors.ts'
import { limits } from '../limits.ts'
import { deskEndpoint } from './desk-endpoint.ts'
import * as routes from './routes.ts'

const { deskPictureBytes } = limits
/** The largest upload, in words. */
export const pictureSize = `${deskPictureBytes / 1_000_000} MB (${deskPictureBytes.toLocaleString('en-US')} bytes)`

/** Reply of `POST /desk/v1/media`. */
export const deskMedia = z.object({
  media: z.string().describe('The file name for a memo or article'),
  width: z.number().int(),
  height: z.number().int(),
  bytes: z.number().int().describe('Size of the upload'),
})

export const uploadPicture = deskEndpoint(routes.uploadPicture, {
  tag: 'Desk: pictures',
  summary: 'Stores a picture and returns the file name to use',
  description: `One file of a multipart form: JPEG, PNG, WebP, AVIF, HEIC or GIF, at most ${pictureSize} and ${limits.deskPictureMegapixels} megapixels. It is scaled down and encoded again at three widths: upright, in sRGB, without metadata, and on white where it was transparent.`,
  scope: 'write',
  consumes: ['multipart/form-data'],
  reply: dataOf(deskMedia),
  statuses: [201],
  errors: {
    413: describedError(`The file is larger than ${pictureSize}`),
    415: describedError('The file is not a picture in a supported format'),
  },
})
