/* Learning by self-play: play, solve each turn for its values, fit the network to them. */
#include "cantstop.h"
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 600 };

typedef struct {
    Rules rules;
    Net *net;
    Turn *turn, *other;
    uint64_t seed;
    Sample *kept; /* a ring */
    int room, filled, at;
    double loss;
    long fits;
} Learner;

Learner *learner_new(const Rules *rules, uint64_t seed, int room)
{
    Learner *l = calloc(1, sizeof *l);
    tables();
    l->rules = *rules, l->seed = seed, l->room = room;
    l->net = net_new(rules->players, seed, 1);
    l->turn = turn_new(), l->other = turn_new();
    l->kept = calloc(room, sizeof *l->kept);
    return l;
}

Net *learner_net(Learner *l) { return l->net; }
float *net_parameters(Net *net) { return net->p; }
int net_count(const Net *net) { return net->count; }

/* The mean squared error since the last report. */
double learner_report(Learner *l)
{
    double error = l->fits ? l->loss / l->fits : 0;
    l->loss = 0, l->fits = 0;
    return error;
}

static void look(const Learner *l, const Board *b, Sample *s)
{
    int n = l->rules.players, others = n == 1 ? 1 : n - 1, rows[SEATS];
    for (int c = 0; c < COLUMNS; c++) {
        features_of(b, n, c, b->turn, rows);
        for (int k = 0; k < others; k++) s->feature[c * others + k] = rows[k];
    }
}

static void keep(Learner *l, const Sample *s)
{
    l->kept[l->at] = *s;
    l->at = (l->at + 1) % l->room;
    if (l->filled < l->room) l->filled++;
}

static void fit(Learner *l, int times, int batch, float rate)
{
    int which[1024];
    for (int i = 0; i < times; i++) {
        for (int k = 0; k < batch; k++) which[k] = (int)(chance(&l->seed) * l->filled);
        l->loss += net_fit(l->net, l->kept, which, batch, rate);
        l->fits++;
    }
}

/* Play `games`. first: by references alone, learning from the results. Otherwise by the learner, at some tables
 * against references, learning from solved turns; `trace` is the weight of the game's result (lambda of TD learning). */
void learn(Learner *l, int games, int first, float trace, float mixed, float least, int times, int batch, float rate)
{
    static Sample played[LONGEST];
    int n = l->rules.players;
    for (int g = 0; g < games; g++) {
        Board b = {0};
        int over = 0, turns = 0, kind[SEATS] = {0};
        float lambda = first ? 1 : trace;
        Player p = {.kind = LEARNED, .net = l->net, .least = least};
        for (int k = 0; k < n; k++) {
            kind[k] = LEARNED;
            if (first || chance(&l->seed) < mixed) kind[k] = OUTER + (int)(chance(&l->seed) * 3), lambda = first ? 1 : 0;
        }
        while (!over && turns < LONGEST) {
            Sample *s = &played[turns++];
            int who = b.turn;
            memset(s, 0, sizeof *s);
            look(l, &b, s);
            Board before = b;
            turn_begin(l->turn, &l->rules, first ? 0 : l->net, &b);
            if (!first) {
                turn_begin(l->other, &l->rules, l->net, &b);
                over = learned_turn(l->turn, l->other, &p, &l->rules, &b, &l->seed, s->target);
                if (n == 1) s->target[0] = 1 - s->target[0];
                for (int j = 1; j < n && n > 2; j++) {
                    float sum[HIDDEN] __attribute__((aligned(64)));
                    net_sum(l->net, &b, n, b.turn, sum);
                    s->target[j] = over ? 0 : net_value(l->net, sum, j - 1);
                }
            }
            if (kind[who] != LEARNED) {
                b = before;
                over = reference_turn(l->turn, kind[who], &l->rules, &b, &l->seed);
            }
        }
        if (!over) continue;
        /* Back from the end: `later` has the values of the next position's players, the current one first. */
        float later[SEATS] = {0};
        for (int i = turns - 1; i >= 0; i--) {
            float got[SEATS];
            if (n == 1) got[0] = 1 + later[0];
            else if (i == turns - 1) for (int j = 0; j < n; j++) got[j] = j == 0;
            else if (n == 2) got[0] = 1 - later[0];
            else for (int j = 0; j < n; j++) got[j] = later[(j + n - 1) % n];
            for (int j = 0; j < n; j++) later[j] = played[i].target[j] = (1 - lambda) * played[i].target[j] + lambda * got[j];
            if (n == 2) later[1] = 1 - later[0];
            keep(l, &played[i]);
        }
        if (l->filled >= 2000) fit(l, times, batch, rate);
    }
}
