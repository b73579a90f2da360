import { describe, expect, it } from 'vitest'
import { listSettingValues } from '#config/setting.ts'
import { settings } from '#config/settings.ts'
import { compareSettings } from './compare-settings.ts'

const siteSecret = 'a secret for the tests, long enough'

describe('compareSettings', () => {
  it('names what differs, and shows no secret', () => {
    const backup = listSettingValues(
      settings,
      { SITE_NAME: 'One', STRIPE_SECRET_KEY: 'sk_live_1', SITE_TIME_ZONE: 'UTC' },
      siteSecret,
    )
    const site = listSettingValues(
      settings,
      { SITE_NAME: 'Two', STRIPE_SECRET_KEY: 'sk_test_2', SITE_TIME_ZONE: 'UTC', PORT: '4100' },
      siteSecret,
    )
    expect(compareSettings(backup, site)).toEqual([
      'SITE_NAME: "One" in the backup, "Two" here',
      expect.stringMatching(
        /^STRIPE_SECRET_KEY: a secret \([0-9a-f]{12}\) in the backup, a secret \([0-9a-f]{12}\) here$/,
      ),
    ])
  })
})
