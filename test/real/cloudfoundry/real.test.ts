import { keepTranscript } from './keep-transcript.ts';
import { lifeOfAnApp } from './life-of-an-app.ts';

/** On the cluster that the suite was given, which has a node whose containers are real. */
const site = () =>
  Promise.resolve({
    kubeconfig: process.env.CUTOVER_KUBECONFIG ?? '',
    hasNetwork: true,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });

lifeOfAnApp(site, keepTranscript);
