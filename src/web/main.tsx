import { render } from 'preact';

/** The dashboard begins here. */
const place = document.getElementById('app');
if (place) render(<main>Cutover</main>, place);
