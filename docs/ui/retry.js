const TRIES = 5;
const LONGEST_WAIT = 30;

/**
 * Fetches, and again when it is answered 503, after the seconds that Retry-After says: an instance answers one request
 * at a time, and is busy for the next one. Meanwhile the page says so.
 *
 * @param {string} url - As for fetch.
 * @param {RequestInit} request - As for fetch.
 * @returns {Promise<Response>} The answer: the last 503 when it stays busy, the first one when it names no such wait.
 */
export async function fetchPatiently(url, request) {
  const notice = document.getElementById('notice');
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, request);
    const seconds = response.status === 503 ? Number.parseInt(response.headers.get('Retry-After'), 10) : Number.NaN;
    notice.textContent = '';
    if (tries === TRIES || !(seconds <= LONGEST_WAIT)) return response;
    notice.textContent = `The service is busy. Trying again in ${seconds} s (${tries} of ${TRIES - 1}).`;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
