import { describe, expect, it } from 'vitest'
import { mediaSettings } from './media-settings.ts'

function bucketOf(text: string) {
  return mediaSettings.safeParse({ bucket: text, cacheMegabytes: '10' }).data?.bucket
}

describe('MEDIA_STORE', () => {
  it('is the folder when it is empty', () => {
    expect(bucketOf('')).toBeNull()
  })

  it('names a bucket, with a prefix, a region and an endpoint', () => {
    expect(bucketOf('s3://news')).toEqual({
      bucket: 'news',
      prefix: '',
      region: 'us-east-1',
      endpoint: null,
    })
    expect(bucketOf('s3://news/a/b?region=eu-central-1&endpoint=https://s3.example.com')).toEqual({
      bucket: 'news',
      prefix: 'a/b/',
      region: 'eu-central-1',
      endpoint: new URL('https://s3.example.com'),
    })
  })

  it.for([
    '/var/media',
    'https://s3.example.com/news',
    's3://',
    's3://key:secret@news',
    's3://news?regio=eu-central-1',
    's3://news?endpoint=s3.example.com',
    's3://news?endpoint=ftp://s3.example.com',
  ])('rejects %s', (text) => {
    expect(bucketOf(text)).toBeUndefined()
  })
})
