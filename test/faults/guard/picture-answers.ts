import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Answering } from '../../support/picture-host.ts'
import { png } from '../../support/picture-host.ts'

const small = png(2, 2)
const megabyte = Buffer.alloc(1_000_000)
export const mostBytes = 10_000_000
export const sized = (bytes: number): Buffer => Buffer.concat([small, Buffer.alloc(bytes - small.length)])
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
const html = '<!doctype html><script>alert(1)</script>'

export const whole: Record<string, Buffer> = {
  png: small,
  jpeg: Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  gif: Buffer.from('R0lGODlhAQABAAAAACw=', 'base64'),
  webp: Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8L', 'latin1'),
  avif: Buffer.from('\x00\x00\x00\x1cftypavif\x00\x00\x00\x00', 'latin1'),
}

const send =
  (
    body: string | Uint8Array,
    type = 'image/png',
    headers: Record<string, string | number> = {},
    status = 200,
  ): Answering =>
  (response) =>
    void response.writeHead(status, { 'content-type': type, ...headers }).end(body)

/** Bytes as they are, in place of an HTTP answer. */
const raw =
  (write: (socket: Socket) => void): Answering =>
  ({ socket }) =>
    write(socket!)

/** A byte now and then, for as long as somebody listens. */
const drip =
  (first: string, drop: string): Answering =>
  ({ socket }) => {
    socket!.write(first)
    const timer = setInterval(() => socket!.write(drop), 50)
    socket!.on('close', () => clearInterval(timer)).on('error', () => undefined)
  }

/** A megabyte after the other, and how many were taken. */
export const taken = { megabytes: 0 }
const flood =
  (headers: Record<string, string | number>): Answering =>
  (response) => {
    response.writeHead(200, { 'content-type': 'image/png', ...headers }).write(small)
    let left = 1000
    const more = (): void => {
      while (left-- > 0) {
        taken.megabytes++
        if (!response.write(megabyte)) return void response.once('drain', more)
      }
    }
    more()
  }

const redirect =
  (location: string, status = 302): Answering =>
  (response) =>
    void response.writeHead(status, { location }).end()

/** Only these need a short time limit. */
export const tooSlow = /took longer than/

/** What a server that may be reached answers, and what must come of it: a reason, or the type it is shown as. */
export function hostileAnswers(elsewhere: string): Record<string, [Answering, expected: RegExp]> {
  const noPicture = /is not a PNG/
  return {
    'an SVG': [send(svg, 'image/svg+xml'), noPicture],
    'an SVG labelled PNG': [send(svg), noPicture],
    'an SVG after a declaration': [send(`<?xml version="1.0"?>${svg}`, 'image/webp'), noPicture],
    'HTML labelled PNG': [send(html), noPicture],
    'HTML labelled GIF after blanks': [send(`  \n${html}`, 'image/gif'), noPicture],
    'plain text': [send('PNG', 'text/plain'), noPicture],
    JSON: [send('{"png":true}', 'application/json'), noPicture],
    'a PDF': [send('%PDF-1.7', 'image/png'), noPicture],
    'a BMP': [send('BM\0\0\0\0', 'image/bmp'), noPicture],
    'an icon': [send(Buffer.from('00000100010010', 'hex'), 'image/x-icon'), noPicture],
    'a TIFF': [send('II*\0\b\0\0\0', 'image/tiff'), noPicture],
    'a film': [send('\0\0\0\x20ftypisom\0\0', 'image/avif'), noPicture],
    'a HEIC': [send('\0\0\0\x20ftypheic\0\0', 'image/avif'), noPicture],
    'a sound in a RIFF': [send('RIFF\x1a\0\0\0WAVEfmt ', 'image/webp'), noPicture],
    'a PNG after a blank': [send(Buffer.concat([Buffer.from(' '), small])), noPicture],
    'a PNG after a byte order mark': [send(Buffer.concat([Buffer.from('\ufeff'), small])), noPicture],
    'a compressed PNG': [send(gzipSync(small), 'image/png', { 'content-encoding': 'gzip' }), noPicture],
    'many parts': [
      send(`--x\r\ncontent-type: image/png\r\n\r\n${html}`, 'multipart/x-mixed-replace; boundary=x'),
      noPicture,
    ],
    nothing: [send(''), noPicture],
    'one byte': [send('\x89'), noPicture],
    // By their bytes these are pictures, and as pictures alone they are handed on.
    'a GIF that is a script too': [send('GIF89a/*\0*/=1;alert(1)', 'text/javascript'), /^image\/gif$/],
    'a JPEG with a page in it': [
      send(Buffer.concat([whole['jpeg']!, Buffer.from(html)]), 'text/html'),
      /^image\/jpeg$/,
    ],
    'a PNG under another name': [send(small, 'text/html; charset=utf-7'), /^image\/png$/],
    'as large as may be': [send(sized(mostBytes)), /^image\/png$/],
    'a byte too large': [send(sized(mostBytes + 1)), /larger than 10 MB/],
    'a byte too large without a length': [
      (response) => void (response.write(small), response.end(Buffer.alloc(mostBytes))),
      /larger than 10 MB/,
    ],
    'a gigabyte': [flood({ 'content-length': 1_000_000_000 }), /larger than 10 MB/],
    'a gigabyte without a length': [flood({}), /larger than 10 MB/],
    'less than it said': [
      raw((socket) =>
        socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n'), small])),
      ),
      /could not be reached/,
    ],
    'two lengths': [
      raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 6\r\n\r\nGIF89a')),
      /could not be reached/,
    ],
    'no HTTP': [raw((socket) => socket.end(small)), /could not be reached/],
    'no answer': [raw((socket) => socket.end()), /could not be reached/],
    'headers without end': [
      raw((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200_000)}\r\n\r\n`)),
      /could not be reached/,
    ],
    'another protocol': [
      raw((socket) => socket.end('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')),
      /could not be reached/,
    ],
    silence: [raw(() => undefined), tooSlow],
    'a slow header': [drip('HTTP/1.1 200 OK\r\n', 'x: y\r\n'), tooSlow],
    'a slow body': [drip('HTTP/1.1 200 OK\r\n\r\nGIF89a', '\0'), tooSlow],
    'a slow redirect': [drip('HTTP/1.1 302 Found\r\nlocation: /slow%20redirect\r\n', 'x: y\r\n'), tooSlow],
    'a picture with 404': [send(small, 'image/png', {}, 404), /answered 404/],
    'a picture with 500': [send(small, 'image/png', {}, 500), /answered 500/],
    'a part': [send(small, 'image/png', { 'content-range': 'bytes 0-9/99' }, 206), /answered 206/],
    'no content': [send('', 'image/png', {}, 204), /answered 204/],
    'a redirect to itself': [redirect('/a%20redirect%20to%20itself'), /redirects too often/],
    'a redirect without a place': [(response) => void response.writeHead(302).end(), /to nowhere/],
    'a redirect to no address': [redirect('http://[::'), /to nowhere/],
    'a redirect to a file': [redirect('file:///etc/passwd'), /file: is not http/],
    'a redirect to data': [
      redirect(`data:image/png;base64,${small.toString('base64')}`),
      /data: is not http/,
    ],
    'a redirect with a password': [redirect('http://a:b@93.184.215.14/'), /user name or password/],
    'a redirect to metadata': [redirect('http://169.254.169.254/latest'), /not a public address/],
    'a redirect to a private name': [redirect('http://four2.example.test/'), /not a public address/],
    'a redirect to another port': [redirect('http://93.184.215.14:6379/'), /port 6379/],
    ...Object.fromEntries(
      [301, 302, 303, 307, 308].map((status) => [
        `a ${status} to a neighbour`,
        [redirect(elsewhere, status), /not a public address/],
      ]),
    ),
  }
}
