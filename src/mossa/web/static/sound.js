// A soft click made from a short tone: there is no file to load.
/** @type {AudioContext | null} */
let audio = null;

export function click() {
  audio ??= new AudioContext();
  if (audio.state !== "running") return;  // browsers are silent until somebody has clicked
  const tone = audio.createOscillator(), volume = audio.createGain(), now = audio.currentTime;
  tone.type = "triangle";
  tone.frequency.setValueAtTime(520, now);
  tone.frequency.exponentialRampToValueAtTime(190, now + 0.06);
  volume.gain.setValueAtTime(0.16, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
