import { paths } from '@tidings/contracts/paths'
import type { IdentityProviderConfig } from '#integrations/identity/identity-provider.ts'

/** Letters and signs as strokes on a field of 24 by 24. */
const strokes = {
  google: 'M16 9a5 5 0 1 0 1 3h-4',
  microsoft: 'M7 17V7l5 6 5-6v10',
  apple: 'M7 17l5-10 5 10M9 13.5h6',
  github: 'M10.2 10a3 3 0 1 0 .8 2h-2M14 8.5v7M18 8.5v7M14 12h4',
  // A key.
  other: 'M11.5 12a2.5 2.5 0 1 0-5 0 2.5 2.5 0 1 0 5 0h6v3M14.5 12v2',
}

/** An SVG image for each identity provider, by file name: white on a grey disc, to be seen on light and on dark. */
export const providerIcons: ReadonlyMap<string, string> = new Map(
  Object.entries(strokes).map(([name, path]) => [
    `${name}.svg`,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><circle cx="12" cy="12" r="12" fill="#6b7280"/><path d="${path}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  ]),
)

/** The absolute address of a provider's picture: the one it was configured with, or one of ours. */
export function iconOf({ kind, icon }: IdentityProviderConfig, siteUrl: URL): string {
  const file = `${kind === 'oidc' ? 'other' : kind}.svg`
  return icon ?? new URL(paths.providerIcon.replace(':file', file), siteUrl.origin).href
}
