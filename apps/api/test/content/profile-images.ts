import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { urlOf } from '@tidings/contracts/endpoint'
import { profileImageReply, setProfileImage } from '@tidings/contracts/membership/members'
import type { LightMyRequestResponse } from 'fastify'
import type { TestMember } from '../membership.ts'
import type { TestApp } from '../test-app.ts'
import { type FormPart, multipartForm } from './multipart.ts'

type Owner = Pick<TestMember, 'headers'>

/** Uploads and shows profile images as browsers do. */
export function createTestProfileImages({ app, context }: TestApp) {
  async function send(
    owner: Owner,
    parts: readonly FormPart[],
    from = '127.0.0.1',
  ): Promise<LightMyRequestResponse> {
    const { headers, payload } = multipartForm(parts)
    return await app.inject({
      method: setProfileImage.method,
      url: urlOf(setProfileImage),
      headers: { ...owner.headers, ...headers },
      payload,
      remoteAddress: from,
    })
  }

  async function upload(
    owner: Owner,
    content: Uint8Array | string,
    { type = 'image/jpeg', name = 'profileImage', from = '127.0.0.1' } = {},
  ): Promise<LightMyRequestResponse> {
    return await send(owner, [{ name, filename: 'me.jpg', type, content }], from)
  }

  return {
    send,
    upload,
    /** Sets an image and returns its URL. */
    async set(owner: Owner, content: Uint8Array): Promise<string> {
      const reply = await upload(owner, content)
      if (reply.statusCode !== 200) throw new Error(`The image was refused: ${reply.body}`)
      const { profileImage } = profileImageReply.strict().parse(reply.json()).data
      if (profileImage === null) throw new Error('The image has no URL')
      return profileImage
    },
    /** Requests an image as a page of any origin does, without a gate pass. */
    async show(address: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
      const { pathname, search } = new URL(address)
      return await app.inject({ method: 'GET', url: `${pathname}${search}`, headers })
    },
    /** Returns the names of the images on disk, unfinished ones included. */
    async onDisk(): Promise<string[]> {
      const folder = path.join(context.config.dataDir, 'media')
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
      const folders = entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.basename(entry.parentPath))
      return [...new Set(folders)].sort()
    },
  }
}

/** Returns the name of an image's folder on disk. */
export function nameIn(address: string): string {
  return path.basename(new URL(address).pathname, '.jpg')
}
