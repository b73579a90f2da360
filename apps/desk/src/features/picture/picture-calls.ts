import { queryOptions } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from '#lib/api/call.ts'

/** The address of a picture, also of one that readers can't fetch yet. */
export function pictureQuery(file: string) {
  return queryOptions({
    queryKey: ['picture', file],
    async queryFn({ signal }): Promise<{ url: string; width: number; height: number }> {
      return (await call(routes.getDraftPicture, { params: { file } }, { signal })).data
    },
    staleTime: Infinity,
  })
}

/** Uploads a picture. Returns its file name, for a memo or article. `onProgress` learns which part of it has arrived. */
export async function uploadPicture(
  file: Blob,
  options: { signal: AbortSignal; onProgress: (part: number) => void },
): Promise<string> {
  const body = new FormData()
  body.set('file', file, 'picture')
  return (await call(routes.uploadPicture, { body }, options)).data.media
}
