import { uploadPicture } from '@tidings/contracts/desk/media'
import { urlOf } from '@tidings/contracts/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import type { TestApp } from '../test-app.ts'
import { type FormPart, multipartForm } from './multipart.ts'

/** Uploads to the desk as an editor. */
export function createDeskUploads(site: TestApp) {
  async function form(parts: readonly FormPart[], key?: string): Promise<LightMyRequestResponse> {
    const { headers, payload } = multipartForm(parts)
    return await site.app.inject({
      method: uploadPicture.method,
      url: urlOf(uploadPicture),
      headers: {
        ...headers,
        authorization: site.editor,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      payload,
    })
  }
  return {
    /** Sends a form. */
    form,
    /** Sends a form with one file. */
    async file(content: Uint8Array, key?: string): Promise<LightMyRequestResponse> {
      return await form([{ name: 'file', filename: 'picture.jpg', type: 'image/jpeg', content }], key)
    },
  }
}
