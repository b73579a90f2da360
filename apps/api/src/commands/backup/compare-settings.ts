import type { SettingValue } from '#config/setting.ts'

/** Settings that differ from host to host, so that they tell nothing about the site. */
const ofTheHost = new Set(['REVISION', 'PORT', 'HOST'])

/** Returns a line for each setting that differs between a backup and this site. Never shows a secret. */
export function compareSettings(backup: readonly SettingValue[], site: readonly SettingValue[]): string[] {
  const here = new Map(site.map((each) => [each.name, each]))
  const there = new Map(backup.map((each) => [each.name, each]))
  const names = [...new Set([...there.keys(), ...here.keys()])].sort()
  return names.flatMap((name) => {
    const [one, other] = [there.get(name), here.get(name)]
    if (ofTheHost.has(name) || (one?.value === other?.value && one?.isSecret === other?.isSecret)) return []
    return [`${name}: ${textOf(one)} in the backup, ${textOf(other)} here`]
  })
}

function textOf(setting: SettingValue | undefined): string {
  if (setting === undefined) return 'not set'
  return setting.isSecret ? `a secret (${setting.value})` : JSON.stringify(setting.value)
}
