// Requests to the daemon: well made ones as an object, others byte by byte.
// Each loopback address is a place of its own to the daemon, so that wrong guesses of one case do not make another wait.
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';

import { within } from './world.mjs';

let places = 1;
export const newPlace = () => `127.${1 + (places >> 16 & 63)}.${places >> 8 & 255}.${1 + (places++ & 127)}`;

// {status, headers, text, json}; `on` is a port or the path of a socket.
export function send(on, { method = 'GET', path, headers = {}, body, from, tls }) {
  return within(new Promise((done, fail) => {
    const where = typeof on === 'number' ? { host: '127.0.0.1', port: on, localAddress: from } : { socketPath: on };
    const text = body === undefined ? undefined : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const all = { ...(text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }), ...headers };
    const options = { ...where, method, path, headers: all, agent: false, ...tls };
    const request = (tls ? https : http).request(options, (response) => {
      let got = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => { got += piece; });
      response.on('error', fail);
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, text: got, json: parsed(got) }));
    });
    request.on('error', fail);
    request.end(text);
  }), `${method} ${path}`);
}

export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Sends bytes as they are; gives all that comes back until the daemon closes or `enough` says so.
export function raw(on, bytes, { from, enough = (text) => /\r\n\r\n/.test(text) } = {}) {
  return within(new Promise((done) => {
    const socket = net.connect(typeof on === 'number' ? { host: '127.0.0.1', port: on, localAddress: from } : { path: on });
    let got = '';
    const end = () => { socket.destroy(); done(got); };
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (piece) => { got += piece.toString('latin1'); if (enough(got)) end(); });
    socket.on('error', end);
    socket.on('close', end);
  }), 'an answer to raw bytes');
}

// The status of each response in what came back.
export const statuses = (text) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
