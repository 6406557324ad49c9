/* The value of a position: a small network whose first layer is looked up, and Adam to fit it. */
#include "cantstop.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int CLASS_TOP[CLASSES] = {3, 5, 7, 9, 11, 13};

static int rows_of(int players) /* for one opponent */
{
    int n = 0;
    for (int k = 0; k < CLASSES; k++) n += players == 1 ? CLASS_TOP[k] + 1 : (CLASS_TOP[k] + 1) * (CLASS_TOP[k] + 1) + 1;
    return n;
}

int feature(int players, int column, int nth, int own, int theirs, int other)
{
    int k = column <= 5 ? column : 10 - column, at = 0;
    for (int j = 0; j < k; j++) at += players == 1 ? CLASS_TOP[j] + 1 : (CLASS_TOP[j] + 1) * (CLASS_TOP[j] + 1) + 1;
    int top = CLASS_TOP[k];
    if (players == 1) return at + own;
    at += nth * rows_of(players);
    return at + (other ? (top + 1) * (top + 1) : own * (top + 1) + theirs); /* `other`: won by none of the two */
}

void features_of(const Board *board, int players, int column, int viewer, int *out)
{
    int own = board->marker[viewer][column], holder = owner(board, column);
    if (players == 1) { out[0] = feature(1, column, 0, own, 0, 0); return; }
    for (int nth = 0; nth < players - 1; nth++) {
        int other = (viewer + nth + 1) % players;
        out[nth] = feature(players, column, nth, own, board->marker[other][column], holder >= 0 && holder != viewer && holder != other);
    }
}

Net *net_new(int players, uint64_t seed, int training)
{
    Net *net = calloc(1, sizeof *net);
    int opponents = players == 1 ? 1 : players - 1;
    tables();
    net->players = players;
    net->heads = players <= 2 ? 1 : players;
    net->features = rows_of(players) * opponents;
    net->count = net->features * HIDDEN + HIDDEN + HIDDEN * HIDDEN2 + HIDDEN2 + net->heads * HIDDEN2 + net->heads;
    size_t bytes = ((size_t)net->count * sizeof(float) + 63) / 64 * 64;
    net->p = aligned_alloc(64, bytes);
    memset(net->p, 0, bytes);
    if (training) {
        net->g = calloc(net->count, sizeof(float));
        net->m = calloc(net->count, sizeof(float));
        net->v = calloc(net->count, sizeof(float));
    }
    int two = (int)(w_two(net) - net->p), out = (int)(w_out(net) - net->p);
    for (int i = 0; i < net->features * HIDDEN; i++) net->p[i] = (float)(chance(&seed) - 0.5) * 0.3f / sqrtf(opponents);
    for (int i = 0; i < HIDDEN; i++) net->p[net->features * HIDDEN + i] = (float)chance(&seed) * 0.2f;
    for (int i = 0; i < HIDDEN * HIDDEN2; i++) net->p[two + i] = (float)(chance(&seed) - 0.5) * 0.5f;
    for (int i = 0; i < HIDDEN2; i++) net->p[two + HIDDEN * HIDDEN2 + i] = 0.1f;
    for (int i = 0; i < net->heads * HIDDEN2; i++) net->p[out + i] = (float)(chance(&seed) - 0.5) * 0.5f;
    return net;
}

void net_sum(const Net *net, const Board *board, int players, int viewer, float *sum)
{
    int rows[SEATS];
    memcpy(sum, w_bias(net), HIDDEN * sizeof *sum);
    for (int column = 0; column < COLUMNS; column++) {
        features_of(board, players, column, viewer, rows);
        for (int k = 0; k < (players == 1 ? 1 : players - 1); k++) {
            const float *row = w_rows(net) + rows[k] * HIDDEN;
            for (int i = 0; i < HIDDEN; i++) sum[i] += row[i];
        }
    }
}

float net_head(const Net *net, const float *sum, int head)
{
    typedef float loose __attribute__((vector_size(64), aligned(4)));
    const float *two = w_two(net);
    float relu[HIDDEN] __attribute__((aligned(64)));
    for (int i = 0; i < HIDDEN; i++) relu[i] = fmaxf(sum[i], 0);
    v16 z0 = *(const loose *)w_bias2(net), z1 = {0}, z2 = {0}, z3 = {0};
    for (int i = 0; i < HIDDEN; i += 4, two += 4 * HIDDEN2) {
        z0 += relu[i] * *(const v16 *)two;
        z1 += relu[i + 1] * *(const v16 *)(two + HIDDEN2);
        z2 += relu[i + 2] * *(const v16 *)(two + 2 * HIDDEN2);
        z3 += relu[i + 3] * *(const v16 *)(two + 3 * HIDDEN2);
    }
    v16 all = z0 + z1 + z2 + z3;
    const float *out = w_out(net) + head * HIDDEN2;
    float total = w_bias3(net)[head];
    for (int j = 0; j < HIDDEN2; j++) total += fmaxf(all[j], 0) * out[j];
    return total;
}

float net_value(const Net *net, const float *sum, int head)
{
    float out = net_head(net, sum, head);
    return net->players == 1 ? out * 10 : 1 / (1 + expf(-out)); /* turns are learned in tens */
}

static double backward(Net *net, const Sample *s, float scale)
{
    float sum[HIDDEN], z[HIDDEN2], dz[HIDDEN2] = {0}, loss = 0;
    int rows = COLUMNS * (net->players == 1 ? 1 : net->players - 1);
    const float *two = w_two(net), *out = w_out(net);
    float *g_bias = net->g + (w_bias(net) - net->p), *g_two = net->g + (two - net->p), *g_out = net->g + (out - net->p);
    float *g_bias2 = net->g + (w_bias2(net) - net->p), *g_bias3 = net->g + (w_bias3(net) - net->p);
    memcpy(sum, w_bias(net), sizeof sum);
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < HIDDEN; i++) sum[i] += w_rows(net)[s->feature[r] * HIDDEN + i];
    memcpy(z, w_bias2(net), sizeof z);
    for (int i = 0; i < HIDDEN; i++)
        for (int j = 0; j < HIDDEN2; j++) z[j] += fmaxf(sum[i], 0) * two[i * HIDDEN2 + j];
    for (int head = 0; head < net->heads; head++) {
        float y = w_bias3(net)[head], d;
        for (int j = 0; j < HIDDEN2; j++) y += fmaxf(z[j], 0) * out[head * HIDDEN2 + j];
        if (net->players > 1) d = 1 / (1 + expf(-y)) - s->target[head];
        else d = y - s->target[head] / 10;
        loss += d * d;
        d *= scale;
        g_bias3[head] += d;
        for (int j = 0; j < HIDDEN2; j++)
            if (z[j] > 0) {
                g_out[head * HIDDEN2 + j] += d * z[j];
                dz[j] += d * out[head * HIDDEN2 + j];
            }
    }
    float dsum[HIDDEN];
    for (int j = 0; j < HIDDEN2; j++) g_bias2[j] += dz[j];
    for (int i = 0; i < HIDDEN; i++) {
        float d = 0, r = fmaxf(sum[i], 0);
        for (int j = 0; j < HIDDEN2; j++) {
            d += dz[j] * two[i * HIDDEN2 + j];
            g_two[i * HIDDEN2 + j] += dz[j] * r;
        }
        dsum[i] = sum[i] > 0 ? d : 0;
        g_bias[i] += dsum[i];
    }
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < HIDDEN; i++) net->g[s->feature[r] * HIDDEN + i] += dsum[i];
    return loss / net->heads;
}

double net_fit(Net *net, const Sample *samples, const int *which, int count, float rate)
{
    double loss = 0;
    memset(net->g, 0, net->count * sizeof(float));
    for (int k = 0; k < count; k++) loss += backward(net, &samples[which[k]], 1.0f / count);
    net->steps++;
    float step = rate * sqrtf(1 - powf(0.999f, net->steps)) / (1 - powf(0.9f, net->steps));
    float *restrict p = net->p, *restrict m = net->m, *restrict v = net->v;
    const float *restrict g = net->g;
    for (int i = 0; i < net->count; i++) {
        m[i] = 0.9f * m[i] + 0.1f * g[i];
        v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
        p[i] -= step * m[i] / (sqrtf(v[i]) + 1e-7f);
    }
    return loss / count;
}
