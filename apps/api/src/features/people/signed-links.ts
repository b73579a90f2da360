import { z } from 'zod'
import { createSigner } from '#platform/signing.ts'
import type { DeskSite } from './desk-site.ts'

const uuid = z.uuid()

export type SignedLinks = ReturnType<typeof createSignedLinks>

/** Makes the links of one kind of page below `/desk`. A token is a signed id, so that no link is stored. */
export function createSignedLinks(
  kind: 'sign-in' | 'invitation',
  options: { secret: string; deskSite: DeskSite },
  purpose = `desk ${kind} link`,
) {
  const signer = createSigner(options.secret, purpose)
  return {
    urlOf: (id: string) => options.deskSite.pageUrl(`/desk/${kind}/${signer.sign(id)}`),
    /** Returns the id in a token; null for a token that is not ours. */
    idIn(token: string): string | null {
      return uuid.safeParse(signer.verify(token)).data ?? null
    },
  }
}
